/** In ms. A page that never rests is treated as idle after this time. */
const IDLE_TIMEOUT_MS = 2_000

/** Resolves when the page has loaded and the browser has nothing more urgent to do. */
export async function whenIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  // Safari lacks it.
  if ('requestIdleCallback' in window)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: IDLE_TIMEOUT_MS }))
}
