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
func arcTangent(_ value: Double) -> Double { atan(value) }
func hyperbolicSine(_ value: Double) -> Double { sinh(value) }
func tangent(_ radians: Double) -> Double { tan(radians) }
func inverseHyperbolicSine(_ value: Double) -> Double { asinh(value) }
