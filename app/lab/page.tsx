import type { Metadata } from 'next'
import { KeystrokesPage } from '@/components/lab/keystrokes/keystrokes-page'

export const metadata: Metadata = { title: 'Lab' }

export default function Page() {
  return <KeystrokesPage />
}
