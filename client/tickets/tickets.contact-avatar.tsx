import { Users } from 'lucide-react'
import { useMedia } from '../messages/messages.media.ts'
import { Avatar } from '../ui/avatar.tsx'

/** A contact's picture from the private store, or the initials. */
export function ContactAvatar({
  name,
  picture,
  isGroup = false,
  size,
}: {
  name: string
  picture: string | null
  isGroup?: boolean
  size?: 'xs' | 'sm' | 'md' | 'lg'
}) {
  const { url } = useMedia(picture ? { path: picture } : null)
  return (
    <Avatar
      name={name}
      src={url}
      size={size}
      badge={
        isGroup ? (
          <span className="flex size-4 items-center justify-center rounded-full bg-secondary text-secondary-foreground">
            <Users className="size-2.5" />
          </span>
        ) : undefined
      }
    />
  )
}
