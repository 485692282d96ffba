/**
 * Stands for server/store/sqlite.ts (stand-in-store.ts): SIGUSR2 holds commits back, the next one lets them go; each is answered
 * on standard error.
 */
import { createHoldableStore } from '../../server/store/holdable-store.ts'
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
