/** Tells requests of people who open a page from those of programs and of scripts on a page. */
import type { GatewayRequest } from './gateways/gateway-request.ts'

/** Whether a person opens this as a page: it is not one of Next's own fetches, not an asset, and not a frame or fetch of another site. */
export function isNavigation({ method, headers, url = '' }: GatewayRequest): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'document'
  // A service worker's fetch of a page has no destination in any browser.
  const isByServiceWorker = destination === 'empty' && headers['sec-fetch-site'] === 'same-origin'
  return (
    method === 'GET' &&
    (headers.accept ?? '').includes('text/html') &&
    (destination === 'document' || isByServiceWorker) &&
    !isFragment({ headers }) &&
    !url.startsWith('/_next/')
  )
}

/** Whether Next fetches the changed parts of a page, which scripts on that page then draw. */
export const isFragment = ({ headers }: Pick<GatewayRequest, 'headers'>): boolean => headers.rsc !== undefined
