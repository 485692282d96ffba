'use client'

import dynamic from 'next/dynamic'

/** Runs only in the browser: it brings Yjs along, of which the server has a copy of its own. */
export const SettingsLoader = dynamic(
  () => import('./settings-page.tsx').then(({ SettingsPage }) => SettingsPage),
  { ssr: false, loading: () => <main aria-busy="true" /> },
)
