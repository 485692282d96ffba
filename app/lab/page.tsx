import type { Metadata } from 'next'
import { KeystrokesLoader } from '@/components/lab/keystrokes/keystrokes-loader.tsx'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.lab }

export default function Page() {
  return <KeystrokesLoader />
}
