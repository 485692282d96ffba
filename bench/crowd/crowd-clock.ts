/** One clock for all threads and processes of this machine, in ms: the system's monotonic one. */
const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const crowdNow = (): number => offset + performance.now()
