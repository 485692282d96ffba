import type { Page } from '@playwright/test'

/** The ms of processor time that the main thread of a page has used: in all, and of that in scripts. */
export interface MainThreadTime {
  readonly all: number
  readonly scripts: number
}

/**
 * Starts to count. It is the thread's own time and not that of a clock: on a busy machine a thread that waits for a core uses none.
 *
 * @returns A function that reads what was used since.
 */
export async function countMainThreadTime(page: Page): Promise<() => Promise<MainThreadTime>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async (): Promise<MainThreadTime> => {
    const { metrics } = await session.send('Performance.getMetrics')
    const msOf = (wanted: string) => 1000 * (metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN)
    return { all: msOf('TaskDuration'), scripts: msOf('ScriptDuration') }
  }
  const start = await read()
  return async () => {
    const end = await read()
    return { all: end.all - start.all, scripts: end.scripts - start.scripts }
  }
}
