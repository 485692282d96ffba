'use client'

import dynamic from 'next/dynamic'
import { OpeningView } from '@/components/opening/opening-view'
import { panelIds } from '@/lib/windows/panels.ts'
import { panels } from './panel-registry'

const load = () => {
  // Its panel's own code comes along, rather than after it. Which one that is stands in the address, also in the page kept for all.
  const id = panelIds.find((candidate) => location.pathname.endsWith(`/p/${candidate}`))
  if (id) panels[id].load().catch(() => undefined) // asked for again when it is shown
  return import('./panel-page')
}

/** Runs in the browser alone, and needs nothing of the editor. */
export const PanelLoader = dynamic(load, { ssr: false, loading: () => <OpeningView /> })
