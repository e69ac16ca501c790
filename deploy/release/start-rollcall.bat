@echo off
rem Starts Rollcall from the wheel beside this file, for Windows. The first start needs the internet: it fetches uv, if
rem that is missing, and with it Python and the packages. Later starts need neither. Arguments are those of
rem `rollcall serve`.
setlocal
set "VERSION=@VERSION@"
set "ENVIRONMENT=%~dp0rollcall-%VERSION%"
if not exist "%SystemRoot%\System32\msvcp140.dll" echo Rollcall needs Microsoft's C++ runtime to read photos. Install it from https://aka.ms/vs/17/release/vc_redist.x64.exe
if exist "%ENVIRONMENT%\complete" goto start
if not exist "%~dp0constraints.txt" goto packed
set "PATH=%USERPROFILE%\.local\bin;%PATH%"
where /q uv
if not errorlevel 1 goto install
echo Rollcall fetches uv, which installs Python and the packages that Rollcall needs.
powershell -NoProfile -ExecutionPolicy ByPass -Command "irm https://astral.sh/uv/install.ps1 | iex"
if errorlevel 1 goto failed
where /q uv
if errorlevel 1 goto failed
:install
echo Rollcall installs itself into "%ENVIRONMENT%". This takes some minutes, once.
uv venv --clear --python ">=3.10,<3.15" "%ENVIRONMENT%"
if errorlevel 1 goto failed
uv pip install --python "%ENVIRONMENT%\Scripts\python.exe" --constraint "%~dp0constraints.txt" "%~dp0rollcall_dice-%VERSION%-py3-none-any.whl[home]"
if errorlevel 1 goto failed
type nul > "%ENVIRONMENT%\complete"
:start
rem Not rollcall.exe, which names the folder where it was installed: a renamed folder starts too.
"%ENVIRONMENT%\Scripts\python.exe" -I -m rollcall serve --open %*
if "%errorlevel%"=="0" exit /b 0
set "STATUS=%errorlevel%"
pause
exit /b %STATUS%
:packed
echo Unpack the whole archive first, then start %~nx0 in the unpacked folder.
pause
exit /b 1
:failed
echo Rollcall could not be installed. Is this computer online? Start this file again.
pause
exit /b 1
