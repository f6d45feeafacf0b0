#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// Returns 1 if this processor has the SHA-256 instructions that are used here, otherwise 0.
/// Queries the processor each time, which is slow in a virtual machine, so call it once.
int csha256_is_available(void);

/// Hashes `count` blocks of 64 bytes into a SHA-256 state. Must only be called if the instructions
/// are available.
///
/// `state` is the hash value H0…H7 and `constants` the 64 round constants of FIPS 180-4.
void csha256_compress(
    uint32_t state[8], const uint8_t *blocks, size_t count, const uint32_t constants[64]);

#endif
