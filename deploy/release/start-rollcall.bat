@echo off
rem Starts Rollcall from the wheel beside this file, for Windows. The first start needs the internet: it fetches uv, if
rem that is missing, and with it Python and the packages. Later starts need neither. Arguments are those of
rem `rollcall serve`.
setlocal
set "VERSION=@VERSION@"
set "ENVIRONMENT=%~dp0rollcall-%VERSION%"
if exist "%ENVIRONMENT%\complete" goto start
set "PATH=%USERPROFILE%\.local\bin;%PATH%"
where /q uv
if not errorlevel 1 goto install
echo Rollcall fetches uv, which installs Python and the packages that Rollcall needs.
powershell -NoProfile -ExecutionPolicy ByPass -Command "irm https://astral.sh/uv/install.ps1 | iex"
if errorlevel 1 goto failed
:install
echo Rollcall installs itself into %ENVIRONMENT%. This takes some minutes, once.
uv venv --clear --python ">=3.10,<3.15" "%ENVIRONMENT%"
if errorlevel 1 goto failed
uv pip install --python "%ENVIRONMENT%\Scripts\python.exe" --constraint "%~dp0constraints.txt" "%~dp0rollcall_dice-%VERSION%-py3-none-any.whl[home]"
if errorlevel 1 goto failed
type nul > "%ENVIRONMENT%\complete"
:start
"%ENVIRONMENT%\Scripts\rollcall.exe" serve --open %*
exit /b %errorlevel%
:failed
echo Rollcall could not be installed. Is this computer online? Start this file again.
pause
exit /b 1
