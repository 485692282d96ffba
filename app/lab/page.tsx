import type { Metadata } from 'next'
import { KeystrokesLoader } from '@/components/lab/keystrokes/keystrokes-loader'

export const metadata: Metadata = { title: 'Lab' }

export default function Page() {
  return <KeystrokesLoader />
}
