import CSHA256

/// True if the processor has SHA instructions.
let hasHashInstructions = csha256_is_available() != 0

extension SHA256 {
  /// Hashes whole blocks of 64 bytes, with the processor's own instructions if it has them.
  mutating func compress(_ blocks: UnsafeRawBufferPointer) {
    guard hasHashInstructions, let start = blocks.baseAddress else {
      return compressInSwift(blocks)
    }
    // The eight words of `state` and whole blocks are all that the C function touches, during the
    // call.
    withUnsafeMutableBytes(of: &state) { state in
      guard let state = state.baseAddress?.assumingMemoryBound(to: UInt32.self) else { return }
      csha256_compress(
        state, start.assumingMemoryBound(to: UInt8.self), blocks.count / 64, roundConstants)
    }
  }

  /// Hashes whole blocks of 64 bytes on any processor.
  mutating func compressInSwift(_ blocks: UnsafeRawBufferPointer) {
    guard let start = blocks.baseAddress else { return }
    var (s0, s1, s2, s3) = (state[0], state[1], state[2], state[3])
    var (s4, s5, s6, s7) = (state[4], state[5], state[6], state[7])
    roundConstants.withUnsafeBufferPointer { constants in
      withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
        // `w` and `k` have 64 elements each, and `expand` reads 64 bytes, which the loop checks.
        guard let k = constants.baseAddress, let w = schedule.baseAddress else { return }
        var position = 0
        while position + 64 <= blocks.count {
          expand(start + position, into: w, adding: k)
          var (a, b, c, d, e, f, g, h) = (s0, s1, s2, s3, s4, s5, s6, s7)
          var t = 0
          // Eight rounds per iteration with rotated arguments, so that no variable has to be moved.
          while t < 64 {
            round(a, b, c, &d, e, f, g, &h, w[t])
            round(h, a, b, &c, d, e, f, &g, w[t &+ 1])
            round(g, h, a, &b, c, d, e, &f, w[t &+ 2])
            round(f, g, h, &a, b, c, d, &e, w[t &+ 3])
            round(e, f, g, &h, a, b, c, &d, w[t &+ 4])
            round(d, e, f, &g, h, a, b, &c, w[t &+ 5])
            round(c, d, e, &f, g, h, a, &b, w[t &+ 6])
            round(b, c, d, &e, f, g, h, &a, w[t &+ 7])
            t &+= 8
          }
          (s0, s1, s2, s3) = (s0 &+ a, s1 &+ b, s2 &+ c, s3 &+ d)
          (s4, s5, s6, s7) = (s4 &+ e, s5 &+ f, s6 &+ g, s7 &+ h)
          position &+= 64
        }
      }
    }
    state = [s0, s1, s2, s3, s4, s5, s6, s7]
  }
}

/// The message schedule W of one block, with the round constants added.
///
/// Sound: `block` has 64 bytes, and `w` and `k` have 64 words each.
@inline(__always)
private func expand(
  _ block: UnsafeRawPointer, into w: UnsafeMutablePointer<UInt32>, adding k: UnsafePointer<UInt32>
) {
  for t in 0..<16 {
    w[t] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: t &* 4, as: UInt32.self))
  }
  for t in 16..<64 {
    let (early, late) = (w[t &- 15], w[t &- 2])
    let sigma0 = rotate(early, 7) ^ rotate(early, 18) ^ (early &>> 3)
    let sigma1 = rotate(late, 17) ^ rotate(late, 19) ^ (late &>> 10)
    w[t] = sigma1 &+ w[t &- 7] &+ sigma0 &+ w[t &- 16]
  }
  for t in 0..<64 { w[t] = w[t] &+ k[t] }
}

/// One round. `kw` is the round constant plus the word of the schedule.
@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
  _ h: inout UInt32, _ kw: UInt32
) {
  let sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
  let choice = g ^ (e & (f ^ g))
  h = h &+ sum1 &+ choice &+ kw
  d = d &+ h
  let sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
  let majority = (a & b) | (c & (a | b))
  h = h &+ sum0 &+ majority
}

/// `x` rotated right by 1...31 bits.
@inline(__always)
private func rotate(_ x: UInt32, _ bits: UInt32) -> UInt32 { x &>> bits | x &<< (32 &- bits) }

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2);
/// `SHA256Tests` derives them.
let roundConstants: [UInt32] = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5,
  0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
  0xc19b_f174,
  0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
  0x76f9_88da,
  0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
  0x1429_2967,
  0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
  0x9272_2c85,
  0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
  0x106a_a070,
  0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
  0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
