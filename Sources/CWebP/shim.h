#include <stdlib.h>
#include <webp/encode.h>

/* Encodes RGB rows without loss, at libwebp's level 0 (fast) to 9 (small). The bytes are to be
   freed with WebPFree; NULL if there is not enough memory. The functions that set up structures are
   inline in libwebp's header, which Swift does not import. */
static inline uint8_t *roqua_webp_encode(const uint8_t *rgb, int width, int height, int level,
                                         size_t *size) {
  WebPConfig config;
  WebPPicture picture;
  WebPMemoryWriter writer;
  uint8_t *bytes = NULL;
  *size = 0;
  if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, level) ||
      !WebPPictureInit(&picture))
    return NULL;
  picture.use_argb = 1;
  picture.width = width;
  picture.height = height;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  if (WebPPictureImportRGB(&picture, rgb, width * 3) && WebPEncode(&config, &picture)) {
    bytes = writer.mem;
    *size = writer.size;
  } else {
    WebPMemoryWriterClear(&writer);
  }
  WebPPictureFree(&picture);
  return bytes;
}
