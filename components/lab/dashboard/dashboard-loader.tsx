'use client'

import dynamic from 'next/dynamic'

/** Runs only in the browser: it brings Yjs along, of which the server has a copy of its own. */
export const DashboardLoader = dynamic(
  () => import('./dashboard-page.tsx').then(({ DashboardPage }) => DashboardPage),
  { ssr: false, loading: () => <main aria-busy="true" /> },
)
