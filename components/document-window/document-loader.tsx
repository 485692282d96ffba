'use client'

import dynamic from 'next/dynamic'
import { OpeningView } from '@/components/opening/opening-view.tsx'

/** The editor is a chunk of its own and runs only in the browser: the list of documents does not wait for it. */
export const DocumentLoader = dynamic(() => import('./document-page.tsx'), {
  ssr: false,
  loading: () => <OpeningView />,
})
