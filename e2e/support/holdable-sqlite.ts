/**
 * Stands for server/store/sqlite.ts (stand-in-store.ts): SIGUSR2 holds commits back, the next one lets them go; each is answered
 * on standard error.
 */
import { holdable } from '../../server/store/held-store.ts'
import { openSqliteStore as open } from '../../server/store/sqlite.ts'

export const openSqliteStore: typeof open = async (options) => {
  const store = await open(options)
  const documents = holdable(store.documents)
  let held = false
  process.on('SIGUSR2', () => {
    held = !held
    if (held) documents.hold()
    else documents.release()
    process.stderr.write(held ? 'Commits are held\n' : 'Commits go on\n')
  })
  return { ...store, documents }
}
