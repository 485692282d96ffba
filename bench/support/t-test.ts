/** Whether two means differ by more than chance: Welch's t-test, which does not take it that both spread alike. */

export interface TTest {
  readonly t: number
  readonly degreesOfFreedom: number
  /** Chance of a difference at least as large where there is none. */
  readonly p: number
}

/** Of independent samples; NaN where one of them has fewer than two. */
export function tTest(one: readonly number[], other: readonly number[]): TTest {
  const [a, b] = [errorOf(one), errorOf(other)]
  const t = (meanOf(one) - meanOf(other)) / Math.sqrt(a + b)
  const degreesOfFreedom = (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1))
  const x = degreesOfFreedom / (degreesOfFreedom + t ** 2)
  return { t, degreesOfFreedom, p: incompleteBeta(x, degreesOfFreedom / 2, 0.5) }
}

const meanOf = (samples: readonly number[]): number =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length

/** Squared standard error of the mean. */
function errorOf(samples: readonly number[]): number {
  const mean = meanOf(samples)
  const squares = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0)
  return squares / (samples.length - 1) / samples.length
}

/** Regularised. By its continued fraction: Numerical Recipes in C, 6.4. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x > 0 && x < 1)) return x
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x))
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

const TINY = 1e-300

function betaFraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / away(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  const step = (numerator: number): number => {
    d = 1 / away(1 + numerator * d)
    c = away(1 + numerator / c)
    fraction *= d * c
    return d * c
  }
  for (let m = 1; m < 300; m++) {
    step((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)))
    const change = step((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)))
    if (Math.abs(change - 1) < 1e-12) break
  }
  return fraction
}

/** Lanczos's approximation, g = 7, n = 9. */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12, 9.984_369_578_019_572e-6,
  1.505_632_735_149_311_6e-7,
]

function logGamma(value: number): number {
  const x = value - 1
  const base = x + 7.5
  const series = lanczos.reduce((sum, term, index) => sum + (index === 0 ? term : term / (x + index)), 0)
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(series)
}
