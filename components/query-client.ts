/**
 * The cache of what late parts of the pages have fetched. They pass it to each query, so that a page that has none of them loads no
 * query library.
 */
import { QueryClient } from '@tanstack/react-query'

/** The browser is often wrong about its network, and the server may be this very computer. */
const networkMode = 'always'

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, staleTime: 10_000, networkMode }, mutations: { networkMode } },
})

// Refetches when the window gets the focus or the network comes back. On the server nothing is fetched.
if (typeof window !== 'undefined') queryClient.mount()
