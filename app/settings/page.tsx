import type { Metadata } from 'next'
import { SettingsLoader } from '@/components/settings-page/settings-loader.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.settings }

export default function Page() {
  return <SettingsLoader />
}
