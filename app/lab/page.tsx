import type { Metadata } from 'next'
import { KeystrokesLoader } from '@/components/lab/keystrokes/keystrokes-loader.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.lab }

export default function Page() {
  return <KeystrokesLoader />
}
