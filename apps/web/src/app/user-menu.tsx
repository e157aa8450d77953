import { Menu } from "@base-ui/react/menu";
import { FlaskConical, Folder, LayoutDashboard, LogOut, User } from "lucide-react";
import { Link } from "wouter";
import { SHELL_TEXTS, USER_NAVIGATION } from "./shell-texts.ts";
import { signOut } from "./session.ts";
import { USER_MENU_BUTTON, UserMenuFace } from "./user-menu-button.tsx";

const ICONS = [LayoutDashboard, User, Folder, FlaskConical];
const ITEM =
  "flex cursor-default items-center gap-2.5 rounded-md px-2.5 py-2 outline-none select-none data-highlighted:bg-raised";

/** The signed-in person's menu, headed by the email address; it is loaded when it is first opened. */
export function UserMenu({ email }: { email: string }) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger className={USER_MENU_BUTTON}>
        <UserMenuFace email={email} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end" className="z-40 outline-none">
          <Menu.Popup className="w-60 origin-(--transform-origin) rounded-card border border-line bg-card p-1.5 shadow-lg outline-none transition-[scale,opacity] duration-150 data-ending-style:scale-95 data-ending-style:opacity-0 data-starting-style:scale-95 data-starting-style:opacity-0">
            <p className="truncate px-2.5 pt-1.5 pb-2 text-[0.8125rem] text-ink-3" title={email}>
              {email}
            </p>
            <Menu.Separator className="mb-1.5 h-px bg-line" />
            {USER_NAVIGATION.map(({ label, to }, at) => {
              const Icon = ICONS[at] ?? Folder;
              return (
                <Link key={to} to={to} asChild>
                  <Menu.Item render={<a />} className={ITEM}>
                    <Icon aria-hidden className="size-4 text-ink-3" />
                    {label}
                  </Menu.Item>
                </Link>
              );
            })}
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.Item className={`${ITEM} w-full`} onClick={signOut}>
              <LogOut aria-hidden className="size-4 text-ink-3" />
              {SHELL_TEXTS.signOut}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
