; The installer for Windows: the packed folder, a menu entry, and the rule by which phones come through the firewall.
;   iscc /DVersion=0.4.0 /DPacked=C:\path\to\rollcall deploy\release\rollcall.iss
; The games stay where they are: in %LOCALAPPDATA%\rollcall, which neither an update nor the uninstaller touches.

#ifndef Version
  #error Name the version: /DVersion=0.4.0
#endif
#ifndef Packed
  #error Name the folder that PyInstaller made: /DPacked=...
#endif

[Setup]
AppId={{0C4AF0C3-53B7-4C0B-9A43-3F1E51C0D1CE}
AppName=Rollcall
AppVersion={#Version}
AppPublisher=The Rollcall developers
DefaultDirName={autopf}\Rollcall
DisableProgramGroupPage=yes
LicenseFile=..\..\LICENSE
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0
PrivilegesRequired=admin
CloseApplications=yes
OutputDir=..\..\dist
OutputBaseFilename=rollcall-{#Version}-windows-x86_64
Compression=lzma2
SolidCompression=yes
UninstallDisplayIcon={app}\rollcall.exe

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "cs"; MessagesFile: "compiler:Languages\Czech.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "pl"; MessagesFile: "compiler:Languages\Polish.isl"

[CustomMessages]
en.PortTitle=The port
cs.PortTitle=Port
de.PortTitle=Der Port
pl.PortTitle=Port
en.PortWhy=Phones come to this port of the computer. 8000 is right unless another program has it.
cs.PortWhy=Na tento port počítače přicházejí telefony. 8000 je správně, pokud ho nemá jiný program.
de.PortWhy=Handys kommen an diesen Port des Computers. 8000 ist richtig, wenn ihn kein anderes Programm hat.
pl.PortWhy=Pod ten port komputera wchodzą telefony. 8000 jest dobry, jeśli nie zajął go inny program.
en.Port=Port:
cs.Port=Port:
de.Port=Port:
pl.Port=Port:
en.WrongPort=A port is a whole number from 1024 to 65535.
cs.WrongPort=Port je celé číslo od 1024 do 65535.
de.WrongPort=Ein Port ist eine ganze Zahl von 1024 bis 65535.
pl.WrongPort=Port to liczba całkowita od 1024 do 65535.
en.Firewall=Let phones of private networks in through the firewall
cs.Firewall=Pustit telefony ze soukromých sítí přes firewall
de.Firewall=Handys aus privaten Netzen durch die Firewall lassen
pl.Firewall=Wpuszczaj telefony z sieci prywatnych przez zaporę

[Tasks]
Name: "firewall"; Description: "{cm:Firewall}"
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; Libraries of the version before, which the new one would find.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Packed}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs
; PyInstaller brings Microsoft's C++ runtime along, as files beside the program.

[Icons]
Name: "{autoprograms}\Rollcall"; Filename: "{app}\rollcall.exe"; Parameters: "serve --open --port {code:Port}"
Name: "{autodesktop}\Rollcall"; Filename: "{app}\rollcall.exe"; Parameters: "serve --open --port {code:Port}"; Tasks: desktopicon

[Run]
; The rule of an earlier installation may name another port.
Filename: "{sys}\netsh.exe"; Parameters: "advfirewall firewall delete rule name=""Rollcall"""; Flags: runhidden
Filename: "{sys}\netsh.exe"; Parameters: "advfirewall firewall add rule name=""Rollcall"" dir=in action=allow protocol=TCP localport={code:Port} profile=private program=""{app}\rollcall.exe"""; Flags: runhidden; Tasks: firewall
Filename: "{app}\rollcall.exe"; Parameters: "serve --open --port {code:Port}"; Description: "{cm:LaunchProgram,Rollcall}"; Flags: postinstall nowait skipifsilent runasoriginaluser

[UninstallRun]
Filename: "{sys}\netsh.exe"; Parameters: "advfirewall firewall delete rule name=""Rollcall"""; Flags: runhidden; RunOnceId: "firewall"

[Code]
var
  PortPage: TInputQueryWizardPage;

procedure InitializeWizard;
begin
  PortPage := CreateInputQueryPage(wpSelectTasks, CustomMessage('PortTitle'), '', CustomMessage('PortWhy'));
  PortPage.Add(CustomMessage('Port'), False);
  PortPage.Values[0] := GetPreviousData('Port', '8000');
end;

function Port(Param: String): String;
begin
  Result := Trim(PortPage.Values[0]);
end;

function NextButtonClick(CurPageID: Integer): Boolean;
var
  Number: Integer;
begin
  Result := True;
  if CurPageID = PortPage.ID then begin
    Number := StrToIntDef(Port(''), 0);
    Result := (Number >= 1024) and (Number <= 65535);
    if not Result then
      MsgBox(CustomMessage('WrongPort'), mbError, MB_OK);
  end;
end;

procedure RegisterPreviousData(PreviousDataKey: Integer);
begin
  SetPreviousData(PreviousDataKey, 'Port', Port(''));
end;
