/** The script of the shared worker. Its address has a hash of its content, so that two versions of the page never share a worker. */
import { createNet } from '#net'
import { loadTransportsAhead } from '../load-ahead.ts'
import { transports } from '../registry.ts'
import { LinkWorker } from './link-worker.ts'
import type { SubLinkRequest } from './worker-messages.ts'

const worker = new LinkWorker({ transports, net: createNet(), locks: navigator.locks })

addEventListener('connect', (event) => {
  const [windowPort] = (event as MessageEvent).ports
  windowPort!.addEventListener('message', ({ data, ports }: MessageEvent<SubLinkRequest>) => {
    worker.open(data, ports[0]!).catch(() => {}) // Without its lock the worker answers nobody, and the windows share no link.
  })
  windowPort!.start()
})

// It is there where pages come by plain http, mostly without a service worker.
void loadTransportsAhead()
