'use client'

import dynamic from 'next/dynamic'

/** Runs only in the browser: it brings Yjs along, of which the server has a copy of its own. */
export const KeystrokesLoader = dynamic(
  () => import('./keystrokes-page.tsx').then(({ KeystrokesPage }) => KeystrokesPage),
  { ssr: false, loading: () => <main aria-busy="true" /> },
)
