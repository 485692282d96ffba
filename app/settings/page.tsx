import type { Metadata } from 'next'
import { SettingsLoader } from '@/components/settings/settings-loader'

export const metadata: Metadata = { title: 'Settings' }

export default function Page() {
  return <SettingsLoader />
}
