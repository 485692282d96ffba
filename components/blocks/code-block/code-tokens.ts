/** Asks a worker what is to be coloured in code. Loaded with the views of code. */
import { codeLanguageNamed } from '@/lib/blocks/code-block/code-languages.ts'
import type { CodeToken, HighlightRequest, HighlightResponse } from './highlight-worker.ts'

/** In letters. Each letter of a longer one typed would make the browser draw thousands of tokens again. */
export const MAX_HIGHLIGHTED_LETTERS = 20_000

/** Real code of that length takes less than a tenth of it. */
const HIGHLIGHT_TIMEOUT_MS = 1_500

export type HighlightCode = (language: string | null, code: string) => Promise<readonly CodeToken[]>

interface WaitingCode {
  readonly language: string
  readonly code: string
  resolve(tokens: readonly CodeToken[]): void
}

const MAX_KEPT_ANSWERS = 300

/** By language and code: a reading view shows the same code as the editor beside it. */
const answers = new Map<string, Promise<readonly CodeToken[]>>()

/** Has no tokens for plain text, an unknown language, long code, and code that takes too long. */
export const highlightCode: HighlightCode = (word, code) => {
  const language = codeLanguageNamed(word)
  if (language === null || code === '' || code.length > MAX_HIGHLIGHTED_LETTERS) return Promise.resolve([])
  const key = `${language.id} ${code}`
  const answer = answers.get(key) ?? askWorker(language.id, code)
  answers.delete(key)
  answers.set(key, answer)
  if (answers.size > MAX_KEPT_ANSWERS) answers.delete(answers.keys().next().value!)
  return answer
}

const waiting: WaitingCode[] = []

const askWorker = (language: string, code: string): Promise<readonly CodeToken[]> =>
  new Promise((resolve) => {
    waiting.push({ language, code, resolve })
    if (waiting.length === 1) void answerWaiting()
  })

let worker: HighlightWorker | null = null

/** One after the other, so that the time of each can be limited. */
async function answerWaiting(): Promise<void> {
  for (let next = waiting[0]; next; next = waiting[0]) {
    worker ??= new HighlightWorker()
    const tokens = await worker.highlight(next.language, next.code)
    if (tokens === null) worker = null
    waiting.shift()
    next.resolve(tokens ?? [])
  }
}

class HighlightWorker {
  readonly #worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  readonly #ready: Promise<unknown>
  #lastRun = 0

  constructor() {
    this.#ready = this.#nextResponse()
  }

  /** Null where the worker could not, and is of no more use. */
  async highlight(language: string, code: string): Promise<readonly CodeToken[] | null> {
    const isReady = await this.#ready
    if (isReady === null) return null
    const run = ++this.#lastRun
    const timer = setTimeout(() => this.#worker.dispatchEvent(new Event('error')), HIGHLIGHT_TIMEOUT_MS)
    const response = this.#nextResponse()
    this.#worker.postMessage({ run, language, code } satisfies HighlightRequest)
    const tokens = (await response)?.tokens ?? null
    clearTimeout(timer)
    if (tokens === null) this.#worker.terminate()
    return tokens
  }

  #nextResponse(): Promise<HighlightResponse | null> {
    return new Promise((resolve) => {
      const onMessage = ({ data }: MessageEvent<HighlightResponse>) => done(data)
      const onError = () => done(null)
      const done = (response: HighlightResponse | null): void => {
        this.#worker.removeEventListener('message', onMessage)
        this.#worker.removeEventListener('error', onError)
        resolve(response)
      }
      this.#worker.addEventListener('message', onMessage)
      this.#worker.addEventListener('error', onError)
    })
  }
}
