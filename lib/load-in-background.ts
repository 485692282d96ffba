/** In ms. A network that is gone rarely comes back sooner. */
const FIRST_RETRY_MS = 10_000
const LAST_RETRY_MS = 600_000

/**
 * Loads code that nobody waits for, once for all callers: a failure is not shown, and the code is requested again until it has loaded, less
 * and less often, since code of an older build is gone for good.
 */
export const loadInBackground = <Module>(load: () => Promise<Module>): (() => Promise<Module>) => {
  let loading: Promise<Module> | null = null
  return () => (loading ??= loadAgainAndAgain(load))
}

async function loadAgainAndAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs)) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs * (0.5 + Math.random() / 2)))
    }
  }
}
