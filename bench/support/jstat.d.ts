/** Types what the benchmarks use of jStat, which has no types. */
declare module 'jstat' {
  interface JStat {
    mean(samples: readonly number[]): number
    median(samples: readonly number[]): number
    /** @param ofSample Divides by one less than the count. */
    variance(samples: readonly number[], ofSample: boolean): number
    readonly studentt: {
      cdf(t: number, degreesOfFreedom: number): number
      inv(probability: number, degreesOfFreedom: number): number
    }
  }
  const jStat: JStat
  export default jStat
}
