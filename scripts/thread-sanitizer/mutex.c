// Reports to the thread sanitizer the locks that Swift's Mutex takes when threads wait for each
// other. On Linux that code is in the standard library, which is not built for the sanitizer: the
// sanitizer sees two threads access a value one after the other but not the lock between them, and
// reports a race. Without waiting threads the lock is an atomic operation in the caller, which the
// sanitizer sees.
//
// A shared library for LD_PRELOAD, built by scripts/sanitize. Its functions replace those of
// libswiftSynchronization (SwiftStdlib's Mutex/LinuxImpl.swift) with the same names, call them, and
// report the lock.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
// The address of the lock, as a Swift method passes self.
#define SELF __attribute__((swift_context)) void *self

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Not there in a program without the sanitizer, as the one that starts the tests.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK_SLOW);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t thread, SELF) {
  SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
  next(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
  SWIFT bool (*next)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
  bool is_locked = next(self);
  if (is_locked && __tsan_acquire) __tsan_acquire(self);
  return is_locked;
}

SWIFT void unlock_slow(SELF) {
  SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
  if (__tsan_release) __tsan_release(self);
  next(self);
}
