/** The service worker where the disk or the network is against it: no browser can be told to be so. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

interface Surroundings {
  /** What the cache holds, by path; a function that throws stands for a broken one. */
  readonly match?: (path: string) => Response | undefined
  readonly put?: () => Promise<void>
  readonly fetch: () => Promise<Response>
}

type Handler = (event: object) => void

const origin = 'https://here.example'
const code = await readFile(join(import.meta.dirname, '../../public/sw.js'), 'utf8')

const pathOf = (asked: string | { url: string }): string =>
  typeof asked === 'string' ? asked : new URL(asked.url).pathname

/** A worker of that build. Answers as the page would hear it; timers run at once. */
function worker({ match = () => undefined, put = async () => {}, fetch }: Surroundings) {
  const handlers = new Map<string, Handler>()
  const added: Request[] = []
  const cache = {
    match: async (asked: string | { url: string }) => match(pathOf(asked)),
    put,
    addAll: async (requests: Request[]) => void added.push(...requests),
  }
  runInNewContext(code, {
    URL,
    Response,
    Request: class extends Request {
      constructor(path: string, init: RequestInit) {
        super(new URL(path, origin), init)
      }
    },
    URLPattern: class {},
    location: { origin },
    setTimeout: (run: (value: unknown) => void, _ms: number, value: unknown) => setTimeout(run, 0, value),
    caches: { open: async () => cache },
    addEventListener: (type: string, handler: Handler) => handlers.set(type, handler),
    fetch,
  })
  return {
    added,
    install: () => new Promise((waitUntil) => handlers.get('install')!({ waitUntil })),
    ask: (path: string, mode = 'no-cors', destination = 'script') =>
      new Promise<Response>((respondWith) => {
        handlers.get('fetch')!({
          request: { method: 'GET', url: origin + path, mode, destination },
          respondWith,
        })
      }),
  }
}

const script = '/_next/static/chunks/a1b2.js'
const full = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))

test('[D6] a full disk does not keep a page from its scripts', async () => {
  const { ask } = worker({ fetch: async () => new Response('run'), put: full })
  expect(await (await ask(script)).text()).toBe('run')
})

test('[D6] nor does a cache that cannot be read', async () => {
  const broken = () => {
    throw new DOMException('broken', 'UnknownError')
  }
  const { ask } = worker({ fetch: async () => new Response('run'), match: broken })
  expect(await (await ask(script)).text()).toBe('run')
  expect(await (await ask('/', 'navigate')).text()).toBe('run')
})

test('[D6] a slow network is waited for where nothing is kept', async () => {
  const late = new Promise<Response>((resolve) => setTimeout(resolve, 50, new Response('late')))
  const { ask } = worker({ fetch: () => late })
  expect(await (await ask('/', 'navigate')).text()).toBe('late')
})

test.each([
  ['/', '/'],
  ['/d/AbCdEfGhIjKlMnOpQrStUv', '/d/AAAAAAAAAAAAAAAAAAAAAA'],
  ['/d/AbCdEfGhIjKlMnOpQrStUv/p/preview', '/d/AAAAAAAAAAAAAAAAAAAAAA/p/outline'],
  ['/new', '/offline'],
  ['/anything', '/offline'],
])('[D6] without a network %s is answered by what is kept as %s', async (path, shell) => {
  const { ask } = worker({
    fetch: () => Promise.reject(new TypeError('no network')),
    match: (kept) => new Response(kept),
  })
  expect(await (await ask(path, 'navigate')).text()).toBe(shell)
})

test('[D6] a redirect to another page is never kept for a page of ours', async () => {
  const { install, added } = worker({ fetch: async () => new Response('') })
  await install()
  expect(added.length).toBeGreaterThan(2)
  expect(new Set(added.map(({ redirect }) => redirect))).toEqual(new Set(['error']))
})

/** As the network gives one: with an address, without what stood behind its #. */
function answered(url: string): Response {
  const response = new Response('run', { headers: { 'content-type': 'text/javascript' } })
  return Object.defineProperty(response, 'url', { value: url })
}

test.each<[string, (response: Response) => Surroundings]>([
  ['the network', (response) => ({ fetch: async () => response })],
  ['the cache', (response) => ({ fetch: full, match: () => response })],
])(
  'a worker’s script from %s has no address of its own: the worker keeps the one it was asked by',
  async (_from, by) => {
    const { ask } = worker(by(answered(origin + script)))
    const response = await ask(`${script}#params=1`, 'same-origin', 'worker')
    expect(response.url).toBe('')
    expect(response.headers.get('content-type')).toBe('text/javascript')
    expect(await response.text()).toBe('run')
  },
)
