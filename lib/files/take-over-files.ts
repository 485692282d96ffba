/** Lets a document have the files of blocks that come from another one (F5): without sending them, where the server has them. */
import { browserFiles, browserUploads } from './browser-files.ts'
import { fileIdOf } from './file-reference.ts'
import { runLater } from '../run-later.ts'

interface FilesToTakeOver {
  /** The document that they were copied from. */
  readonly from: string
  readonly to: string
  readonly files: readonly string[]
}

/** The server takes at most so many files in one request. */
const MAX_FILES = 200

/** In ms. The other document's upload may be on its way, or this device without a network, for as long as the page is open. */
const FIRST_DELAY_MS = 2_000
const LAST_DELAY_MS = 10 * 60_000

/** @param to The document that is pasted into. */
export function takeOverFilesIn(html: string, to: string): void {
  if (to === '' || !html.includes('data-source-document')) return
  const body = document.implementation.createHTMLDocument().createElement('div')
  body.innerHTML = html
  const elements = [...body.querySelectorAll<HTMLElement>('[data-source-document]')]
  for (const [from, group] of Map.groupBy(elements, ({ dataset }) => dataset.sourceDocument!)) {
    const ids = group.map(({ dataset }) => fileIdOf({ file: dataset.picture ?? dataset.file }))
    const files = [...new Set(ids)].filter((id) => id !== '')
    if (from !== to && files.length > 0) void takeOverFiles({ from, to, files })
  }
}

/** Resolves once each of them was asked for. Those that are nowhere yet are asked for again after that. */
export async function takeOverFiles({ from, to, files }: FilesToTakeOver): Promise<void> {
  for (let first = 0; first < files.length; first += MAX_FILES)
    await takeOverGroup({ from, to, files: files.slice(first, first + MAX_FILES) }, FIRST_DELAY_MS)
}

/** This device sends the files that the server cannot take over, and asks again for those that it does not have either. */
async function takeOverGroup({ from, to, files }: FilesToTakeOver, delayMs: number): Promise<void> {
  const taken = await requestCopies({ from, to, files })
  if (!taken) return
  const missing: string[] = []
  for (const file of files.filter((id) => !taken.includes(id)))
    if (!(await sendOwn(file, to))) missing.push(file)
  if (missing.length > 0) takeOverLater({ from, to, files: missing }, delayMs)
}

/** Asks again after the delay, or as soon as there is a network. */
function takeOverLater(files: FilesToTakeOver, delayMs: number): void {
  const stop = new AbortController()
  const takeOver = (nextDelayMs: number): void => {
    stop.abort()
    cancel()
    void takeOverGroup(files, nextDelayMs)
  }
  const cancel = runLater(delayMs, () => takeOver(Math.min(LAST_DELAY_MS, 2 * delayMs)))
  addEventListener('online', () => takeOver(FIRST_DELAY_MS), { signal: stop.signal })
}

/** Returns the files that the document has now; null where the server refuses for good. */
async function requestCopies({ from, to, files }: FilesToTakeOver): Promise<readonly string[] | null> {
  try {
    const response = await fetch(`/api/documents/${encodeURIComponent(to)}/files/copies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from, files }),
    })
    if (response.ok) return ((await response.json()) as { files: readonly string[] }).files
    // This person may have lost the right to the other document, and still have the bytes.
    return response.status === 403 ? null : []
  } catch {
    return []
  }
}

/** Returns false where the file is not on this device, or the device does not answer. */
async function sendOwn(file: string, document: string): Promise<boolean> {
  try {
    if (!(await browserFiles()?.read(file, document))) return false
    await browserUploads()!.want({ file, document })
    return true
  } catch {
    return false
  }
}
