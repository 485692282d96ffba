/** Names for files that any system can store, each once. */
import { cleanFileName } from '../files/file-reference.ts'

/** Windows opens a device by these names, whatever their ending is. */
const deviceName = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i

/** @param otherwise What stands for a name of which nothing is left. */
export function safeFileName(name: string, otherwise: string): string {
  const clean = cleanFileName(name).replaceAll(/^[. ]+|[. ]+$/g, '')
  if (clean === '') return otherwise
  return deviceName.test(clean) ? `_${clean}` : clean
}
