/** Is preloaded into a program (`node --import`): its clock is wrong by CLOCK_WRONG_BY_MS. Timers and `performance.now()` stay right. */
const clockErrorMs = Number(process.env.CLOCK_WRONG_BY_MS)
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...args: [] | [number | string]) {
    if (args.length === 0) super(RealDate.now() + clockErrorMs)
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + clockErrorMs
  }
}

globalThis.Date = WrongDate as DateConstructor
