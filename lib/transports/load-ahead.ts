import { loadInBackground } from '../load-in-background.ts'
import { transports } from './registry.ts'

/** In ms. What is needed now comes first. */
const LOAD_AFTER_MS = 5_000

const loadAllTransports = loadInBackground(() =>
  Promise.all([...transports.values()].map(async (transport) => transport.loadAhead?.())),
)

/**
 * Loads the code of all transports, some seconds from now. A page may be open while the server is upgraded, which then has the scripts of
 * the new build alone: the page could change to no other transport any more.
 */
export async function loadTransportsAhead(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, LOAD_AFTER_MS))
  await loadAllTransports()
}
