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

/** Tells names apart that a file system takes for the same: `a.png`, `A (2).png`. */
export class UniqueNames {
  readonly #taken = new Set<string>()
  /** The last number of each name. */
  readonly #numbers = new Map<string, number>()

  add(name: string): string {
    const [, stem, ending] = /^([^]+?)(\.[^.]{1,10})?$/.exec(name) ?? ['', name, '']
    const key = foldName(name)
    let [unique, number] = [name, this.#numbers.get(key) ?? 1]
    while (this.#taken.has(foldName(unique))) unique = `${stem} (${++number})${ending ?? ''}`
    this.#numbers.set(key, number)
    this.#taken.add(foldName(unique))
    return unique
  }
}

const foldName = (name: string): string => name.normalize('NFC').toLowerCase().toUpperCase()
