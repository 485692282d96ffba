/**
 * Replaces server/store/sqlite.ts (see stand-in-store.ts): SIGUSR2 holds commits back, the next one releases them, and each is
 * confirmed on standard error.
 */
import { createHoldableStore } from '../../server/fixtures/holdable-store.ts'
import { openSqliteStore as open } from '../../server/store/sqlite.ts'

export const openSqliteStore: typeof open = async (options) => {
  const store = await open(options)
  const documents = createHoldableStore(store.documents)
  let areCommitsHeld = false
  process.on('SIGUSR2', () => {
    areCommitsHeld = !areCommitsHeld
    if (areCommitsHeld) documents.hold()
    else documents.release()
    process.stderr.write(areCommitsHeld ? 'Commits are held\n' : 'Commits go on\n')
  })
  return { ...store, documents }
}
