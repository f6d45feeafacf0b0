#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for SHA-256 that are used here (1), or not (0).
/// Asks the processor each time, which is slow in a virtual machine: ask once.
int csha256_is_available(void);

/// Takes `count` blocks of 64 bytes into a SHA-256 state. Only to be called where they are
/// available.
///
/// `state` is the hash value H0…H7 and `constants` the 64 round constants of FIPS 180-4.
void csha256_compress(
    uint32_t state[8], const uint8_t *blocks, size_t count, const uint32_t constants[64]);

#endif
