// Bytes of the page's data: base64 of raw deflate (RFC 4648, RFC 1951).

/** Decodes base64 to bytes. */
function bytesOfBase64(text) {
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Expands base64 of raw deflate. */
async function inflated(text) {
  const stream = new Blob([bytesOfBase64(text)]).stream();
  const expanded = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(expanded).arrayBuffer());
}

/** Reads LEB128 varints, zigzag for signed ones. */
class ByteReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  byte() {
    return this.bytes[this.offset++];
  }

  /** An unsigned integer below 2^53. */
  varint() {
    let byte = this.bytes[this.offset++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let factor = 128;
    do {
      byte = this.bytes[this.offset++];
      value += (byte & 127) * factor;
      factor *= 128;
    } while (byte > 127);
    return value;
  }

  /** A signed integer. */
  signed() {
    const value = this.varint();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }

  /** A word of 64 bits as two of 32, the low one first. */
  word() {
    const at = this.offset;
    this.offset += 8;
    const b = this.bytes;
    return [
      (b[at] | (b[at + 1] << 8) | (b[at + 2] << 16) | (b[at + 3] << 24)) >>> 0,
      (b[at + 4] | (b[at + 5] << 8) | (b[at + 6] << 16) | (b[at + 7] << 24)) >>> 0,
    ];
  }

  ascii(length) {
    let text = "";
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.byte());
    return text;
  }
}
