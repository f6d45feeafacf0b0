// The C library's functions under one name, so that the rest of the module does not need
// Foundation.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func sine(_ radians: Double) -> Double { sin(radians) }
func cosine(_ radians: Double) -> Double { cos(radians) }
func arcSine(_ value: Double) -> Double { asin(value) }
func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
func hyperbolicSine(_ value: Double) -> Double { sinh(value) }
func inverseHyperbolicSine(_ value: Double) -> Double { asinh(value) }
func hyperbolicTangent(_ value: Double) -> Double { tanh(value) }
func tangent(_ radians: Double) -> Double { tan(radians) }
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
func logarithm(_ value: Double) -> Double { log(value) }
