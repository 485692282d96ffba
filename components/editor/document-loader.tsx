'use client'

import dynamic from 'next/dynamic'
import { OpeningFace } from '@/components/opening/opening-face'

/** The editor is a chunk of its own and runs in the browser alone: the list of documents does not wait for it. */
export const DocumentLoader = dynamic(() => import('./document-page'), {
  ssr: false,
  loading: () => <OpeningFace />,
})
