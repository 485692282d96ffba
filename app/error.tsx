'use client'

import { usePathname } from 'next/navigation'
import { BrokenPage } from '@/components/ui/broken-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

/** Stands in for any page: an `error.tsx` in each folder would be a copy each of what it shows. */
export default function PageError({ error }: { error: unknown }) {
  const pathname = usePathname()
  const page = !pathname.startsWith('/d/') ? 'page' : pathname.includes('/p/') ? 'panel' : 'document'
  return <BrokenPage error={error}>{pagesStrings.broken[page]}</BrokenPage>
}
