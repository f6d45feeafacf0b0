// Replaces the C library's `iconv` in the static build: no encoding is known.
//
// A static program that asks glibc for an encoding loads glibc's modules of the system that it runs
// on. They fit only the very version that the program was linked with; others may crash it. So a
// text in ISO-2022, UTF-7 or HZ is read as ASCII there, with a warning; all other encodings are
// read without `iconv` (docs/formats/gpx.md).
#include <errno.h>
#include <iconv.h>

iconv_t iconv_open(const char *to, const char *from) {
  (void)to;
  (void)from;
  errno = EINVAL;
  return (iconv_t)-1;
}

size_t iconv(
    iconv_t descriptor, char **restrict input, size_t *restrict input_left,
    char **restrict output, size_t *restrict output_left) {
  (void)descriptor;
  (void)input;
  (void)input_left;
  (void)output;
  (void)output_left;
  errno = EBADF;
  return (size_t)-1;
}

int iconv_close(iconv_t descriptor) {
  (void)descriptor;
  errno = EBADF;
  return -1;
}
