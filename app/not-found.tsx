import type { Metadata } from 'next'
import { Face } from '@/components/ui/face'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.notFound }

export default function NotFound() {
  return <Face title={strings.notFound.title}>{strings.notFound.hint}</Face>
}
