/** Returns the time of the system's monotonic clock, in ms, which all threads and processes of this machine share. */
const offset = Number(process.hrtime.bigint()) / 1e6 - performance.now()

export const crowdNow = (): number => offset + performance.now()
