/** Shows a document's people that windows brought back what a restored backup lacked: saves a version with a name that says so. */
import type { Logger } from 'pino'
import { apiStrings } from '../../lib/strings/api.ts'
import { SERVER_OWNER } from '../store/store.ts'
import type { Versions } from './create-versions.ts'

const serverPrincipal = { id: SERVER_OWNER, name: 'Diptych', credential: '' }

/** Never rejects: the text itself is safe, and a failure is logged. */
export async function saveRecoveredVersion(
  versions: Pick<Versions, 'create'>,
  document: string,
  log: Logger,
): Promise<void> {
  try {
    await versions.create(document, apiStrings.version.recovered, serverPrincipal)
  } catch (error) {
    log.error({ document, err: error }, 'no version could be saved of the recovered text')
  }
}
