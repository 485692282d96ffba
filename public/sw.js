/**
 * Lets pages open without the server: the shell of the list, of a document and of a panel, and their scripts, as one build made them.
 * What they show comes from IndexedDB. No answer of the API is kept here, and none of the conversation passes through.
 */

/** Both written by scripts/build.ts. */
const build = '__BUILD__'
const files = ['__FILES__']

/** Served for any document, and for any panel of one: the page reads the address. Such an id belongs to none. */
const documentShell = '/d/AAAAAAAAAAAAAAAAAAAAAA'
const panelShell = `${documentShell}/p/outline`
const offlineShell = '/offline'

/** A network that has not answered by then is as good as none, in ms. */
const PATIENCE_MS = 3000

const prefix = 'diptych-'

addEventListener('install', (event) => {
  // A worker that sleeps would have to wake up first, for each of the many small requests of a conversation.
  for (const path of ['/sync/*', '/api/*', '/yjs/*'])
    event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname: path }) }, source: 'network' })
  event.waitUntil(fill())
})

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOtherBuilds(), clients.claim()]))
})

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request, pathname))
  else if (pathname.startsWith('/_next/static/'))
    event.respondWith(request.destination === 'worker' ? workerScript(request) : asset(request))
})

const openCache = () => caches.open(prefix + build)

async function fill() {
  const cache = await openCache()
  const all = ['/', documentShell, panelShell, offlineShell, ...files]
  // Where a proxy sends people to a sign-in page of its own, that must not be kept for a page of ours.
  await cache.addAll(all.map((path) => new Request(path, { cache: 'no-cache', redirect: 'error' })))
}

async function forgetOtherBuilds() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(prefix) && name !== prefix + build)
  await Promise.all(old.map((name) => caches.delete(name)))
}

function shellOf(pathname) {
  if (pathname === '/') return '/'
  if (/^\/d\/[^/]+$/.test(pathname)) return documentShell
  return /^\/d\/[^/]+\/p\/[^/]+$/.test(pathname) ? panelShell : offlineShell
}

/** The network first; the shell where there is none, or where a proxy says that nobody is behind it. */
async function page(request, pathname) {
  const shell = shellOf(pathname)
  const fallback = async () => (await kept(shell)) ?? (await answer) ?? Response.error()
  const answer = fetch(request).catch(() => null)
  // The shell of other pages says that they need the network: worth waiting for it.
  const late = shell === offlineShell ? answer : Promise.race([answer, passed(PATIENCE_MS)])
  const response = await late
  return response && ![502, 503, 504].includes(response.status) ? response : fallback()
}

const passed = (ms) => new Promise((resolve) => setTimeout(resolve, ms, null))

/** Its name carries a hash of its content: what is kept is right. */
async function asset(request) {
  const found = await kept(request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await keep(request, response.clone())
  return response
}

/**
 * The bundler tells a worker what to load behind the # of its script's address. A worker takes its address from the answer, and an
 * answer from the network or the cache has its own, without that part. One that is made here has none: the address asked for stays.
 */
async function workerScript(request) {
  const { body, status, statusText, headers } = await asset(request)
  return new Response(body, { status, statusText, headers })
}

// A disk that is full or broken must not keep a page from its scripts.

const kept = (request) =>
  openCache()
    .then((cache) => cache.match(request, { ignoreVary: true }))
    .catch(() => undefined)

const keep = (request, response) =>
  openCache()
    .then((cache) => cache.put(request, response))
    .catch(() => {})
