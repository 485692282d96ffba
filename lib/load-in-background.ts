/** In ms. A network that is gone rarely comes back sooner. */
const RETRY_MS = 10_000

/** Loads code that nobody waits for: a failure is not shown, and the code is requested again until it has loaded. */
export const loadInBackground =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    for (;;) {
      try {
        return await load()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }
