import type { Metadata } from 'next'
import { SettingsLoader } from '@/components/settings/settings-loader.tsx'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.settings }

export default function Page() {
  return <SettingsLoader />
}
