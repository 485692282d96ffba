import type { Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** In microseconds of the thread's own processor time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** @returns The ms of processor time that the longest task of the page's main thread took while something happened. */
export async function measureLongestTask(page: Page, act: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] },
  })
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await act()
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const isOfMain = ({ pid, tid }: TraceEvent): boolean =>
    threads.some((thread) => thread.pid === pid && thread.tid === tid)
  const tasks = events.filter((event) => event.name.endsWith('RunTask') && isOfMain(event))
  return Math.max(0, ...tasks.map(({ tdur }) => (tdur ?? 0) / 1000))
}
