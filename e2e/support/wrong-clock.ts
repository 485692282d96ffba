/** Preloaded into a program (`node --import`): its clock is wrong by CLOCK_WRONG_BY_MS. Timers and `performance.now()` stay. */
const wrongBy = Number(process.env.CLOCK_WRONG_BY_MS)
const RightDate = Date

class WrongDate extends RightDate {
  constructor(...given: [] | [number | string]) {
    if (given.length === 0) super(RightDate.now() + wrongBy)
    else super(...given)
  }

  static override now(): number {
    return RightDate.now() + wrongBy
  }
}

globalThis.Date = WrongDate as DateConstructor
